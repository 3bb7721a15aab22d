/** The functions behind the console's API. Access is controlled by lambda:InvokeFunction, separately for reads and writes. */
import type { IFunction } from 'aws-cdk-lib/aws-lambda';

export interface ConsoleApiFunctions {
  readonly runQuery: IFunction;
  readonly runCommand: IFunction;
}
