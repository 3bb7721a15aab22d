"""Records IAM's decisions, one line of JSON each. AWS has them in CloudTrail; the emulator has no log of them that a client can read."""

import json
import os

from ministack.core import iam_evaluator

_trail = open(os.environ["EVENKEEL_RIG_IAM_DECISIONS"], "w", buffering=1, encoding="utf-8")


def record(caller, action, resource, allowed):
    """Writes one decision, and returns whether it allows the action."""
    _trail.write(json.dumps({"caller": caller, "action": action, "resource": resource, "allowed": allowed}) + "\n")
    return allowed


def record_decisions():
    """Records the decision on every request."""
    enforce = iam_evaluator.enforce

    def enforce_and_record(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
        denied = enforce(access_key_id, iam_action, service, region, resource_arn=resource_arn, service_context=service_context)
        caller = iam_evaluator.resolve_caller_identity(access_key_id) or {}
        record(caller.get("userArn", ""), iam_action, resource_arn, denied is None)
        return denied

    iam_evaluator.enforce = enforce_and_record
