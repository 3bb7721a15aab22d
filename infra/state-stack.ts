/** The stack that stays: what it holds is retained, and it can't be deleted by mistake. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EvenkeelConfig } from './config.ts';
import { State } from './constructs/state.ts';
import { forHub, tell } from './outputs.ts';

export class StateStack extends Stack {
  readonly state: State;

  constructor(scope: Construct, id: string, config: EvenkeelConfig, props: StackProps = {}) {
    super(scope, id, { description: 'Evenkeel: state', ...props, terminationProtection: true });
    this.state = new State(this, 'State', config);
    tell(this, 'TableName', this.state.table.tableName, 'The table of tasks');
    tell(this, 'BusName', this.state.bus.eventBusName, 'The bus that the functions meet on');
    for (const [hub, secret] of this.state.hubSecrets) {
      tell(this, forHub(hub, 'SecretArn'), secret.secretArn, `The secret with the connection of hub ${hub}`);
    }
  }
}
