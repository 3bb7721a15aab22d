import { setImmediate as turn } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { afterEach, describe, expect, it } from 'vitest';
import { EventBridgeBus } from '../../../shared/aws/eventbridge-bus.ts';
import { WorkloadRebalancerChanged } from '../../../shared/bus/catalogue.ts';
import { hubSource } from '../../../shared/bus/event.ts';
import { type AwsAnswer, type AwsCall, type AwsEndpoint, startAwsEndpoint } from '../../fakes/aws-endpoint.ts';

let endpoint: AwsEndpoint | undefined;
afterEach(() => endpoint?.close());

async function bus(answer: (call: AwsCall, index: number) => AwsAnswer): Promise<EventBridgeBus> {
  endpoint = await startAwsEndpoint(answer);
  return new EventBridgeBus(new EventBridgeClient({ ...endpoint.config, maxAttempts: 1 }), 'evenkeel');
}

function events(count: number) {
  return Array.from({ length: count }, (_, i) => WorkloadRebalancerChanged.of({ hub: 'karmada', name: `r${i}` }));
}

function names({ input }: AwsCall): string[] {
  return (input.Entries as { Detail: string }[]).map(({ Detail }) => (JSON.parse(Detail) as { name: string }).name);
}

const accepted = ({ input }: AwsCall): AwsAnswer => ({
  body: { FailedEntryCount: 0, Entries: (input.Entries as object[]).map(() => ({ EventId: 'e' })) },
});

describe('publishing on EventBridge', () => {
  it('puts at most ten entries into one call', async () => {
    await (await bus(accepted)).publish(events(25));
    expect(endpoint?.calls.map((call) => names(call).length).sort()).toEqual([10, 10, 5]);
  });

  it('makes no call without events', async () => {
    await (await bus(accepted)).publish([]);
    expect(endpoint?.calls).toEqual([]);
  });

  it('names the bus, the source, the type, and the version of the detail', async () => {
    await (await bus(accepted)).publish(events(1));
    expect(endpoint?.calls[0]?.input.Entries).toEqual([
      {
        EventBusName: 'evenkeel',
        Source: 'evenkeel',
        DetailType: 'WorkloadRebalancerChanged',
        Detail: '{"hub":"karmada","name":"r0","version":1}',
      },
    ]);
  });

  it("names the hub in the source of a bridge's events", async () => {
    endpoint = await startAwsEndpoint(accepted);
    const client = new EventBridgeClient({ ...endpoint.config, maxAttempts: 1 });
    await new EventBridgeBus(client, 'evenkeel', hubSource('karmada')).publish(events(1));
    expect(endpoint.calls[0]?.input.Entries).toMatchObject([{ Source: 'evenkeel.hub.karmada' }]);
  });

  it('sends again only the entries that failed in a call that was answered with 200', async () => {
    const subject = await bus((call, index) =>
      index > 0
        ? accepted(call)
        : {
            body: {
              FailedEntryCount: 2,
              Entries: names(call).map((name) =>
                ['r1', 'r3'].includes(name) ? { ErrorCode: 'ThrottlingException' } : { EventId: 'e' },
              ),
            },
          },
    );
    await subject.publish(events(5));
    expect(endpoint?.calls.map(names)).toEqual([
      ['r0', 'r1', 'r2', 'r3', 'r4'],
      ['r1', 'r3'],
    ]);
  });

  it('throws a fault with the number of failed events, so that the caller does not acknowledge the message', async () => {
    const subject = await bus(({ input }) => ({
      body: { FailedEntryCount: 1, Entries: (input.Entries as object[]).map(() => ({ ErrorCode: 'InternalFailure' })) },
    }));
    await expect(subject.publish(events(2))).rejects.toMatchObject({
      retryClass: 'limited',
      message: expect.stringContaining('2 of 2') as string,
    });
  });

  it('continues without a longer pause as long as some entries are accepted', async () => {
    const subject = await bus((call) => ({
      body: { Entries: names(call).map((_, i) => (i === 0 ? { EventId: 'e' } : { ErrorCode: 'ThrottlingException' })) },
    }));
    await subject.publish(events(6));
    expect(endpoint?.calls.map((call) => names(call).length)).toEqual([6, 5, 4, 3, 2, 1]);
  });

  it('has at most eight calls in flight, and none after it has thrown a fault', async () => {
    let [inFlight, most] = [0, 0];
    const client = {
      send: async ({ input }: { input: { Entries: object[] } }) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        await turn();
        inFlight -= 1;
        const first = JSON.stringify(input.Entries).includes('"r0\\"');
        if (first) throw Object.assign(new Error('no'), { name: 'AccessDeniedException' });
        return { Entries: input.Entries.map(() => ({ EventId: 'e' })) };
      },
    };
    const subject = new EventBridgeBus(client as unknown as EventBridgeClient, 'evenkeel');
    await expect(subject.publish(events(500))).rejects.toMatchObject({ reason: 'AccessDeniedException' });
    expect([most, inFlight]).toEqual([8, 0]);
  });
});
