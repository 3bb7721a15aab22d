"""Delivers messages of a standard queue as SQS fair queues do: first those of the message groups with the fewest messages in flight.

MiniStack ignores the message group of standard queues, and takes it from a rule only as a constant. AWS also takes a path in the event.
"""

import json
import time
from collections import Counter

from ministack.services import eventbridge, sqs

# By queue ARN: the path of the message group in the body, as a rule's target has it.
paths = {}


def group_of(queue_arn, message):
    """A message that was sent with its group has it; one that a rule sent has it in its body. None: a group of its own."""
    if message.get("group_id") or queue_arn not in paths:
        return message.get("group_id")
    value = json.loads(message["body"])
    for name in paths[queue_arn]:
        value = value.get(name) if isinstance(value, dict) else None
    message["group_id"] = value
    return value


def in_fair_order(queue):
    """The messages in the order of delivery: by the messages of their group that are in flight or before them, and then by their arrival."""
    arn, now = queue["attributes"].get("QueueArn"), time.time()
    messages = list(queue["messages"])
    ahead = Counter(group_of(arn, message) for message in messages if message["receive_count"] > 0 and message["visible_at"] > now)
    ranked = []
    for message in messages:
        group = group_of(arn, message)
        ranked.append((0 if group is None else ahead[group], message))
        if message["visible_at"] <= now:
            ahead[group] += 1
    return [message for _, message in sorted(ranked, key=lambda each: each[0])]


def deliver_fairly():
    """Remembers the message groups of targets, and sorts the messages of a queue for each delivery."""
    dispatch, collect = eventbridge._dispatch_to_sqs, sqs._collect_msgs

    def dispatch_with_group(spec, payload, sqs_parameters=None):
        path = (sqs_parameters or {}).get("MessageGroupId", "")
        if path.startswith("$."):
            paths[str(spec)] = path[2:].split(".")
        return dispatch(spec, payload, sqs_parameters)

    def collect_fairly(queue, max_number, visibility_timeout):
        if not queue["is_fifo"]:
            for message in queue["messages"]:
                sqs._ensure_msg_fields(message)
            queue = {**queue, "messages": in_fair_order(queue)}
        return collect(queue, max_number, visibility_timeout)

    eventbridge._dispatch_to_sqs = dispatch_with_group
    sqs._collect_msgs = collect_fairly
