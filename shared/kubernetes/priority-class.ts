/** PriorityClass (scheduling.k8s.io/v1) of a hub: the number behind a workload's priorityClassName. */
import * as z from 'zod/mini';
import { objectMeta, parseObject } from './hub-object.ts';
import type { Resource } from './resource.ts';

interface PriorityClass {
  readonly name: string;
  readonly value: number;
}

const schema = z.object({ metadata: objectMeta, value: z.number() });

export const priorityClasses: Resource<PriorityClass> = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  plural: 'priorityclasses',
  namespaced: false,
  pageSize: 100,
  parse: (object) => {
    const { metadata, value } = parseObject(schema, object, 'PriorityClass');
    return { name: metadata.name, value };
  },
};
