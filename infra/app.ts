/** What `npx cdk` runs: bundles the functions, reads cdk.json's context `evenkeel`, and makes the two stacks. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { bundleFunctions } from '../scripts/bundle.ts';
import { Fault } from '../shared/model/fault.ts';
import { parseConfig } from './config.ts';
import { FunctionsStack } from './functions-stack.ts';
import { StateStack } from './state-stack.ts';

async function main(): Promise<void> {
  const app = new App();
  const config = parseConfig(app.node.tryGetContext('evenkeel'));
  await bundleFunctions();
  // A finding that no construct acknowledges, with its reason, makes synth fail.
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { state } = new StateStack(app, 'EvenkeelState', config);
  new FunctionsStack(app, 'EvenkeelFunctions', { ...config, state });
  app.synth();
}

try {
  await main();
} catch (thrown) {
  if (!(thrown instanceof Fault)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 1;
}
