/** The page behind a login, in its own stack: created if the configuration names an issuer. No other resource depends on it. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { EvenkeelConfig } from './config.ts';
import type { ConsoleConfig } from './console-config.ts';
import { Console } from './constructs/console.ts';
import { printOutputs } from './outputs.ts';

export interface ConsoleStackProps extends StackProps {
  readonly config: EvenkeelConfig & { readonly console: ConsoleConfig };
  readonly code: Code;
}

export class ConsoleStack extends Stack {
  constructor(scope: Construct, id: string, { config, code, ...stack }: ConsoleStackProps) {
    super(scope, id, { description: 'Evenkeel: the page behind a login', ...stack });
    const { url, clientSecret } = new Console(this, 'Console', { config, code });
    printOutputs(this, 'ConsoleUrl', url, 'The page; its redirect URI at the issuer is this and /callback');
    printOutputs(
      this,
      'ConsoleClientSecretArn',
      clientSecret.secretArn,
      "The secret to be filled with the client's secret",
    );
  }
}
