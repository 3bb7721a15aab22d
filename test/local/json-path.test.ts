/** The JSONPath of columns and feedback rules. */
import { describe, expect, it } from 'vitest';
import { valuesAt } from '../../local/practice-hub/api/json-path.ts';

const object = {
  spec: { replicas: 3, urls: [{ url: 'one' }, { url: 'two' }, {}] },
  status: {
    conditions: [
      { type: 'Applied', status: 'True', of: { generation: 1 } },
      { type: 'Available', status: 'False', of: { generation: 2 } },
    ],
  },
};

describe('a JSONPath', () => {
  it.each([
    ['.spec.replicas', [3]],
    ['spec.replicas', [3]],
    ['.spec.urls[*].url', ['one', 'two']],
    ['.spec.urls[1].url', ['two']],
    ['.spec.urls[7].url', []],
    ['.status.conditions[?(@.type=="Available")].status', ['False']],
    [".status.conditions[?(@.type=='Available')].of.generation", [2]],
    ['.status.conditions[?(@.of.status=="True")].type', []],
    ['.status.conditions[?(@.type=="Missing")].status', []],
    ['.spec.replicas.more', []],
    ['.constructor', []],
  ])('%s finds %j', (path, values) => {
    expect(valuesAt(object, path)).toEqual(values);
  });

  it.each(['.spec[', '.spec..replicas', '.spec.urls[0:2]', '.spec.urls[?(@.url>1)]', '{.spec}'])(
    '%s is unsupported',
    (path) => {
      expect(valuesAt(object, path)).toBeUndefined();
    },
  );
});
