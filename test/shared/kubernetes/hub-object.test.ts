import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { asFault, Fault } from '../../../shared/core/fault.ts';
import { objectMeta, parseObject } from '../../../shared/kubernetes/hub-object.ts';
import { at } from '../../builders.ts';

const schema = z.object({ metadata: objectMeta });
const metadata = { name: 'web', uid: 'u', resourceVersion: '5', creationTimestamp: '2026-11-21T10:00:00Z' };

function faultOf(object: unknown): Fault {
  try {
    parseObject(schema, object, 'Thing');
  } catch (thrown) {
    return asFault(thrown);
  }
  return new Fault('terminal', 'it was read', { reason: 'Read' });
}

describe('the metadata of an object', () => {
  it('has defaults for what a hub leaves out', () => {
    expect(parseObject(schema, { metadata }, 'Thing').metadata).toEqual({
      ...metadata,
      namespace: '',
      generation: 1,
      creationTimestamp: at(0),
      annotations: {},
      managedFields: [],
    });
  });

  it('has its times as instants', () => {
    const managedFields = [{ operation: 'Update', subresource: 'status', time: '2026-11-21T10:00:09Z' }, {}];
    const read = parseObject(
      schema,
      { metadata: { ...metadata, deletionTimestamp: '2026-11-21T10:00:05Z', managedFields } },
      'Thing',
    );
    expect(read.metadata.deletionTimestamp).toBe(at(5));
    expect(read.metadata.managedFields).toEqual([{ operation: 'Update', subresource: 'status', time: at(9) }, {}]);
  });

  it.each([
    ['no name', { metadata: { ...metadata, name: '' } }, /^Thing {2}cannot be read: metadata\.name: /],
    ['no uid', { metadata: { ...metadata, uid: '' } }, /^Thing web cannot be read: metadata\.uid: /],
    [
      'a time that is none',
      { metadata: { ...metadata, creationTimestamp: 'soon' } },
      /^Thing web cannot be read: metadata\.creationTimestamp: is not an RFC 3339 time$/,
    ],
    ['nothing', undefined, /^Thing \(no name\) cannot be read: the object: /],
  ])('with %s is unreadable, and the error names the field', (_what, object, description) => {
    const { retryClass, reason, message, cause } = faultOf(object);
    expect([retryClass, reason]).toEqual(['terminal', 'UnreadableObject']);
    expect(message).toMatch(description);
    expect(cause).toHaveProperty('issues');
  });

  it('names three things that are wrong, at most', () => {
    expect(
      faultOf({ metadata: {} })
        .message.split('; ')
        .map((part) => part.replace(/^.*(metadata\.\w+).*$/, '$1')),
    ).toEqual(['metadata.name', 'metadata.uid', 'metadata.resourceVersion']);
  });
});
