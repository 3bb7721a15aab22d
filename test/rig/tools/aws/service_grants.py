"""Checks grants between services, which the emulator does not check: a deployment without them would work there and fail on AWS.

A denied event is not delivered, as on AWS, and the denial is recorded among the decisions.
"""

import json

from ministack.core import iam_evaluator
from ministack.services import apigateway, eventbridge, iam, lambda_svc, scheduler, sqs

from decisions import record

FEEDS = ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes")


def check_grants_between_services():
    _rules_on_queues_and_schedules_on_buses()
    _feeds_of_functions()
    _apis_on_functions()
    _roles_passed_to_schedules()


def _rules_on_queues_and_schedules_on_buses():
    """A rule needs the queue's own policy; a schedule needs a role that trusts its group and may put events on the bus."""
    invoke = eventbridge._invoke_target

    def invoke_target(target, event, rule, view=None):
        arn = target["Arn"]
        # Services speak TLS with each other.
        iam_evaluator.pin_request_origin("127.0.0.1", True)
        if "GroupName" in rule:
            group = rule["Arn"].replace(":schedule/", ":schedule-group/").rsplit("/", 1)[0]
            granted = _takes_role("scheduler.amazonaws.com", target["RoleArn"], group) and _role_may(
                target["RoleArn"], "events:PutEvents", arn
            )
        elif ":sqs:" in arn:
            granted = record(
                rule["Arn"],
                "sqs:SendMessage",
                arn,
                sqs.queue_policy_allows(arn, "events.amazonaws.com", rule["Arn"], _account_of(arn)),
            )
        else:
            granted = True
        return invoke(target, event, rule, view) if granted else None

    eventbridge._invoke_target = invoke_target


def _feeds_of_functions():
    """Lambda receives messages from a queue with the function's role."""
    run = lambda_svc._run_sqs_batch

    def run_sqs_batch(esm, func_rec, *rest):
        role = func_rec["config"]["Role"]
        granted = _takes_role("lambda.amazonaws.com", role, esm["FunctionArn"]) and all(
            [_role_may(role, action, esm["EventSourceArn"]) for action in FEEDS]
        )
        return run(esm, func_rec, *rest) if granted else None

    lambda_svc._run_sqs_batch = run_sqs_batch


def _apis_on_functions():
    """An API needs the function's own policy; without it, its callers get a 500."""
    invoke = apigateway._invoke_lambda_proxy

    async def invoke_lambda_proxy(integration, api_id, stage, path, method, *rest, **named):
        ref = apigateway._extract_lambda_ref_from_integration_uri(integration.get("integrationUri", ""))
        scope = {"account_id": named["owner_account_id"], "region": named["owner_region"]}
        function, config, _name = lambda_svc._get_func_record_for_ref_in_scope(ref, **scope)
        route = named.get("route_key") or rest[3]
        api = f"arn:aws:execute-api:{scope['region']}:{scope['account_id']}:{api_id}/{stage}/{method}{route.split(' ')[-1]}"
        granted = function is None or _policy_lets_service(
            function["policy"], "apigateway.amazonaws.com", "lambda:InvokeFunction", (api, config["FunctionArn"])
        )
        if not record(api, "lambda:InvokeFunction", ref, granted):
            return 500, {"Content-Type": "application/json"}, json.dumps({"message": "Internal Server Error"}).encode()
        return await invoke(integration, api_id, stage, path, method, *rest, **named)

    apigateway._invoke_lambda_proxy = invoke_lambda_proxy


def _roles_passed_to_schedules():
    """The caller that creates a schedule needs iam:PassRole on the schedule's role."""
    handle = scheduler.handle_request

    async def handle_request(method, path, headers, body, query_params):
        caller = iam_evaluator.caller_arn()
        passed = (json.loads(body or b"{}").get("Target") or {}).get("RoleArn") if method in ("POST", "PUT") else None
        if passed and ":assumed-role/" in caller:
            own = f"arn:aws:iam::{_account_of(caller)}:role/{iam_evaluator._role_name_from_assumed_arn(caller)}"
            if not _role_may(own, "iam:PassRole", passed, {"iam:passedtoservice": "scheduler.amazonaws.com"}):
                return scheduler._error(403, "AccessDeniedException", f"{caller} is not authorized to perform: iam:PassRole")
        return await handle(method, path, headers, body, query_params)

    scheduler.handle_request = handle_request


def _takes_role(service, role_arn, source_arn):
    """Whether the role's trust policy lets the service assume it for this source."""
    role = iam._roles.get_scoped(_account_of(role_arn), None, role_arn.rsplit("/", 1)[-1])
    trusted = role is not None and _policy_lets_service(
        role["AssumeRolePolicyDocument"], service, "sts:AssumeRole", (source_arn, role_arn)
    )
    return record(service, "sts:AssumeRole", role_arn, trusted)


def _role_may(role_arn, action, resource_arn, context=None):
    account = _account_of(role_arn)
    policies = iam_evaluator._gather_role_policies(role_arn.rsplit("/", 1)[-1], account)
    request = iam_evaluator.EvalContext(
        principal_arn=role_arn,
        principal_type="AssumedRole",
        principal_account=account,
        action=action,
        resource_arn=resource_arn,
        region=resource_arn.split(":")[3],
        service_context=context or {},
    )
    return record(role_arn, action, resource_arn, iam_evaluator.evaluate(request, policies).decision == "Allow")


def _policy_lets_service(policy, service, action, from_and_to):
    source_arn, resource_arn = from_and_to
    request = iam_evaluator.EvalContext(
        principal_arn="*",
        principal_type="Service",
        principal_account="",
        action=action,
        resource_arn=resource_arn,
        region="",
        service_context={"aws:sourcearn": source_arn, "aws:sourceaccount": _account_of(source_arn)},
    )
    return iam_evaluator.evaluate_resource_policy(policy, request, service=service).decision == "Allow"


def _account_of(arn):
    return arn.split(":")[4]
