/** Receives every event of Evenkeel on the deployed bus, through a separate rule and queue. */
import {
  DescribeArchiveCommand,
  type EventBridgeClient,
  ListArchivesCommand,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
  StartReplayCommand,
} from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { SOURCE } from '../../../../shared/bus/event.ts';

const NAME = 'rig-tap';

export interface TappedEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, string | number>>;
}

interface Clients {
  readonly events: EventBridgeClient;
  readonly sqs: SQSClient;
}

export class EventTap {
  readonly #bus: string;
  readonly #clients: Clients;
  readonly #url: string;
  readonly #received: TappedEvent[] = [];

  private constructor(bus: string, clients: Clients, url: string) {
    this.#bus = bus;
    this.#clients = clients;
    this.#url = url;
  }

  /** Repeated calls return taps on the same rule and queue. */
  static async on(bus: string, clients: Clients): Promise<EventTap> {
    const { events, sqs } = clients;
    const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: NAME }));
    const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }));
    const Policy = JSON.stringify(deliveries(Attributes?.QueueArn));
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { Policy } }));
    const pattern = JSON.stringify({ source: [SOURCE] });
    await events.send(new PutRuleCommand({ Name: NAME, EventBusName: bus, EventPattern: pattern }));
    const target = { Id: NAME, Arn: Attributes?.QueueArn };
    await events.send(new PutTargetsCommand({ Rule: NAME, EventBusName: bus, Targets: [target] }));
    return new EventTap(bus, clients, QueueUrl);
  }

  /** The events about the object of this name, in the order of arrival. */
  async about(name: string): Promise<readonly TappedEvent[]> {
    await this.#drain();
    return this.#received.filter(({ detail }) => detail.name === name);
  }

  async typesAbout(name: string): Promise<readonly string[]> {
    return (await this.about(name)).map((event) => event['detail-type']);
  }

  /** Publishes the events, as the functions would. */
  async publish(events: readonly TappedEvent[]): Promise<void> {
    for (const { source, 'detail-type': type, detail } of events) {
      const entry = { EventBusName: this.#bus, Source: source, DetailType: type, Detail: JSON.stringify(detail) };
      await this.#clients.events.send(new PutEventsCommand({ Entries: [entry] }));
    }
  }

  /** Replays all events since that time from the deployment's archive. */
  async replay(since: Date): Promise<void> {
    const { events } = this.#clients;
    const { Archives: archives = [] } = await events.send(new ListArchivesCommand({}));
    const name = archives[0]?.ArchiveName;
    const archive = await events.send(new DescribeArchiveCommand({ ArchiveName: name }));
    await events.send(
      new StartReplayCommand({
        ReplayName: `replay-${Date.now()}`,
        EventSourceArn: archive.ArchiveArn,
        EventStartTime: since,
        EventEndTime: new Date(),
        Destination: { Arn: archive.EventSourceArn },
      }),
    );
  }

  async #drain(): Promise<void> {
    const { sqs } = this.#clients;
    for (;;) {
      const receive = new ReceiveMessageCommand({ QueueUrl: this.#url, MaxNumberOfMessages: 10 });
      const { Messages: messages = [] } = await sqs.send(receive);
      if (messages.length === 0) return;
      this.#received.push(...messages.map(({ Body }) => JSON.parse(Body ?? '') as TappedEvent));
      const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: this.#url, Entries }));
    }
  }
}

/** The queue policy that allows a bus to deliver. */
function deliveries(queueArn: string | undefined): object {
  const Principal = { Service: 'events.amazonaws.com' };
  return { Statement: [{ Effect: 'Allow', Principal, Action: 'sqs:SendMessage', Resource: queueArn }] };
}
