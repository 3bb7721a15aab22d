"""IAM's decisions, one line of JSON each: on AWS CloudTrail has them; the emulator leaves no trace that a client can read."""

import json
import os

from ministack.core import iam_evaluator

_trail = open(os.environ["EVENKEEL_RIG_IAM_DECISIONS"], "w", buffering=1, encoding="utf-8")


def tell(caller, action, resource, allowed):
    """Writes one decision, and returns whether it was to allow."""
    _trail.write(json.dumps({"caller": caller, "action": action, "resource": resource, "allowed": allowed}) + "\n")
    return allowed


def tell_decisions():
    """Has every request's decision told."""
    enforce = iam_evaluator.enforce

    def enforce_and_tell(access_key_id, iam_action, service, region, resource_arn="*", service_context=None):
        denied = enforce(access_key_id, iam_action, service, region, resource_arn=resource_arn, service_context=service_context)
        caller = iam_evaluator.resolve_caller_identity(access_key_id) or {}
        tell(caller.get("userArn", ""), iam_action, resource_arn, denied is None)
        return denied

    iam_evaluator.enforce = enforce_and_tell
