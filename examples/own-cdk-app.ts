/** Evenkeel inside a CDK app of your own: `npx cdk deploy --app "node own-cdk-app.ts"`. */
import { App, Stack } from 'aws-cdk-lib';
import { Evenkeel } from 'evenkeel';

const app = new App();
const stack = new Stack(app, 'Platform');
const evenkeel = new Evenkeel(stack, 'Evenkeel', {
  hubs: [{ name: 'karmada' }],
  settings: { resyncMinutes: 10 },
});
for (const [hub, url] of evenkeel.hookUrls) stack.exportValue(url, { name: `${hub}-hook-url` });
