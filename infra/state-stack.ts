/** The stateful stack: its resources are retained, and it has termination protection. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { EvenkeelConfig } from './config.ts';
import { State } from './constructs/state.ts';
import { printOutputs } from './outputs.ts';

export class StateStack extends Stack {
  readonly state: State;

  constructor(scope: Construct, id: string, config: EvenkeelConfig, props: StackProps = {}) {
    super(scope, id, { description: 'Evenkeel: state', ...props, terminationProtection: true });
    this.state = new State(this, 'State', config);
    printOutputs(this, 'TableName', this.state.table.tableName, 'The table of tasks');
    printOutputs(this, 'HubsTableName', this.state.hubsTable.tableName, 'The table with the registry of hubs');
    printOutputs(this, 'BusName', this.state.bus.eventBusName, 'The bus that the functions meet on');
  }
}
