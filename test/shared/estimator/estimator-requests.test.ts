/**
 * Our requests, byte for byte those of Karmada's own client. The bytes were made by Karmada v1.18.2's Go types
 * (pkg/estimator/pb with its SetResourceRequest, SetNodeAffinity and SetTolerations), marshalled deterministically.
 */
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import type { ReplicaRequirements } from '../../../shared/estimator/estimator.ts';
import {
  Estimator,
  MaxAvailableReplicasRequestSchema,
  MaxAvailableReplicasResponseSchema,
  UnschedulableReplicasRequestSchema,
  UnschedulableReplicasResponseSchema,
} from '../../../shared/estimator/estimator_pb.ts';
import { maxAvailableRequest, unschedulableRequest } from '../../../shared/estimator/estimator-requests.ts';

const web = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' };
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

const unschedulable = (seconds: number): string =>
  hex(toBinary(UnschedulableReplicasRequestSchema, unschedulableRequest('member1', web, seconds)));
const maxAvailable = (requirements: ReplicaRequirements): string =>
  hex(toBinary(MaxAvailableReplicasRequestSchema, maxAvailableRequest('member1', requirements)));

describe('the service', () => {
  it('has the names that the estimators answer to', () => {
    expect(Estimator.typeName).toBe('github.com.karmada_io.karmada.pkg.estimator.service.Estimator');
    expect(Estimator.methods.map(({ name }) => name)).toEqual(['MaxAvailableReplicas', 'GetUnschedulableReplicas']);
  });
});

describe('an estimator request', () => {
  it('for unschedulable replicas equals the request of Karmada', () => {
    const resource = '0a076d656d6265723112200a07617070732f7631120a4465706c6f796d656e741a0473686f702203776562';
    expect(unschedulable(300)).toBe(`${resource}1880f092cbdd08`);
    expect(unschedulable(0)).toBe(resource);
  });

  it('contains only the cluster name if the workload states no requirements', () => {
    expect(maxAvailable({})).toBe('0a076d656d62657231');
    expect(maxAvailable({ resourceRequest: null, nodeClaim: null })).toBe('0a076d656d62657231');
  });

  it('for resource requests equals the request of Karmada, in any order of the resources', () => {
    const golden =
      '0a076d656d62657231124c120d0a0363707512060a043530306d120f0a066d656d6f727912050a033147691a0473686f702204686967682a0d0a0363707512060a043530306d2a0f0a066d656d6f727912050a03314769';
    const rest = { namespace: 'shop', priorityClassName: 'high' };
    expect(maxAvailable({ resourceRequest: { cpu: '500m', memory: '1Gi' }, ...rest })).toBe(golden);
    expect(maxAvailable({ resourceRequest: { memory: '1Gi', cpu: '500m' }, ...rest })).toBe(golden);
  });

  it('with a node claim equals the request of Karmada', () => {
    const nodeClaim = {
      nodeSelector: { disk: 'ssd', arch: 'arm64' },
      hardNodeAffinity: {
        nodeSelectorTerms: [
          {
            matchExpressions: [
              { key: 'zone', operator: 'In', values: ['a', 'b'] },
              { key: 'spot', operator: 'DoesNotExist' },
            ],
          },
          { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] },
        ],
      },
      tolerations: [
        { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'k', operator: 'Equal', value: 'v', effect: 'NoExecute', tolerationSeconds: 60 },
        {},
      ],
    };
    expect(maxAvailable({ nodeClaim, resourceRequest: { cpu: '2' } })).toBe(
      '0a076d656d6265723112d3020ab8020a490a280a100a047a6f6e651202496e1a01611a01620a140a0473706f74120c446f65734e6f7445786973740a1d121b0a0d6d657461646174612e6e616d651202496e1a066e6f64652d31120d0a0461726368120561726d3634120b0a046469736b12037373641a1b0a0367707512064578697374731a00220a4e6f5363686564756c651a1a0a016b1205457175616c1a017622094e6f45786563757465283c1a080a0012001a00220022490a280a100a047a6f6e651202496e1a01611a01620a140a0473706f74120c446f65734e6f7445786973740a1d121b0a0d6d657461646174612e6e616d651202496e1a066e6f64652d312a1b0a0367707512064578697374731a00220a4e6f5363686564756c652a1a0a016b1205457175616c1a017622094e6f45786563757465283c2a080a0012001a002200120a0a0363707512030a01322a0a0a0363707512030a0132',
    );
  });

  it.each([
    ['a selector of numbers', { nodeSelector: { disk: 1 } }, 'nodeSelector.disk'],
    ['tolerations that are no list', { tolerations: 'all' }, 'tolerations'],
    [
      'a toleration for half a second',
      { tolerations: [{ tolerationSeconds: 0.5 }] },
      'tolerations.0.tolerationSeconds',
    ],
  ])('about nodes by %s is not put', (_, nodeClaim, field) => {
    expect(() => maxAvailable({ nodeClaim })).toThrow(`replicaRequirements.nodeClaim.${field} cannot be read`);
  });
});

describe('an answer', () => {
  it('is read as Karmada writes it', () => {
    expect(fromBinary(UnschedulableReplicasResponseSchema, bytes('0803')).unschedulableReplicas).toBe(3);
    expect(fromBinary(UnschedulableReplicasResponseSchema, bytes('')).unschedulableReplicas).toBe(0);
    const negative = fromBinary(UnschedulableReplicasResponseSchema, bytes('08ffffffffffffffffff01'));
    expect(negative.unschedulableReplicas).toBe(-1);
    expect(fromBinary(MaxAvailableReplicasResponseSchema, bytes('0807')).maxReplicas).toBe(7);
  });
});
