/** What `npx cdk` runs: bundles the functions, reads cdk.json's context `evenkeel`, and makes the stacks. */
import { App, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { Fault } from '../shared/core/fault.ts';
import { bundleConsole, bundleFunctions } from './bundling/bundle.ts';
import { hasConsole, parseConfig } from './config.ts';
import { ConsoleStack } from './console-stack.ts';
import { bundledCode } from './function-code.ts';
import { SERVE_CONSOLE } from './function-paths.ts';
import { FunctionsStack } from './functions-stack.ts';
import { StateStack } from './state-stack.ts';

async function main(): Promise<void> {
  const app = new App();
  const config = parseConfig(app.node.tryGetContext('evenkeel'));
  await bundleFunctions();
  if (hasConsole(config)) await bundleConsole();
  // A finding that no construct acknowledges, with its reason, makes synth fail.
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  const { state } = new StateStack(app, 'EvenkeelState', config);
  // The page has a stack of its own, which can be deleted without the functions.
  const { console: _, ...functions } = config;
  new FunctionsStack(app, 'EvenkeelFunctions', { ...functions, state });
  if (hasConsole(config)) new ConsoleStack(app, 'EvenkeelConsole', { config, code: bundledCode(SERVE_CONSOLE) });
  app.synth();
}

try {
  await main();
} catch (thrown) {
  if (!(thrown instanceof Fault)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 1;
}
