import { describe, expect, it } from 'vitest';
import { type FunctionName, functionNames } from '../../shared/bus/functions.ts';
import { actionsOf, grantsOf, lambdaOf, synthesize, targetOf } from './stacks.ts';

type Variables = { readonly Variables: Readonly<Record<string, unknown>> };

function deployed(tracesTo?: string) {
  const { functions: template } = synthesize(tracesTo === undefined ? {} : { tracesTo });
  const of = (name: FunctionName) => lambdaOf(template, name).properties;
  return {
    to: (name: FunctionName) => (of(name).Environment as Variables).Variables.EVENKEEL_TRACES_TO,
    actions: (name: FunctionName) => actionsOf(grantsOf(template, targetOf(of(name).Role)).get('Traces')),
  };
}

describe.each([
  [undefined, []],
  ['http://collector.internal:4318', []],
  ['xray', ['xray:PutTraceSegments']],
])('with traces to %s', (to, actions) => {
  const functions = deployed(to);

  it.each(functionNames)('%s exports there, and has the permission that it takes', (name) => {
    expect([functions.to(name), functions.actions(name)]).toEqual([to, actions]);
  });
});
