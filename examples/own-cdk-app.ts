/** Evenkeel inside a CDK app of your own: `npx cdk deploy --app "node own-cdk-app.ts"`. */

import { Evenkeel } from '@evenkeel/cdk';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Topic } from 'aws-cdk-lib/aws-sns';

const app = new App();
const stack = new Stack(app, 'Platform');
const evenkeel = new Evenkeel(stack, 'Evenkeel', {
  settings: { resyncMinutes: Duration.minutes(10) },
  alarmTopic: new Topic(stack, 'OnCall'),
});
stack.exportValue(evenkeel.hookUrl, { name: 'hook-url' });
