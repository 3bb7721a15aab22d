"""Starts MiniStack with corrections where it differs from AWS in behaviour that Evenkeel's stacks depend on.

It is written for the release that requirements.txt pins and replaces internals of it: for another release, review
every correction. No installed file is changed; each correction replaces a function, or a constant, in the running process.
docs/proof/tests.md lists the remaining differences.
"""

import atexit
import json
import re
import sys

from ministack import app
from ministack.core import iam_actions, lambda_runtime
from ministack.services import dynamodb, ec2, eventbridge, lambda_svc, scheduler, secretsmanager, tagging
from ministack.services.cloudformation import provisioners

from decisions import record_decisions
from fair_queues import deliver_fairly
from service_grants import check_grants_between_services

CHECK_SECONDS = 1
# Of one queue.
BATCHES_IN_FLIGHT = 3

handlers = provisioners._RESOURCE_HANDLERS


def check_schedules_every_second():
    """MiniStack checks schedules every 10 s: each test of a schedule would wait that long."""
    eventbridge._SCHEDULER_TICK_INTERVAL = CHECK_SECONDS
    scheduler._SCHEDULE_TICK_INTERVAL = CHECK_SECONDS


def limit_the_batches_in_flight():
    """Each batch in flight is a process on this machine. With the ten of our queues, a burst of events starts a hundred at once, which two cores take minutes for."""
    concurrency = lambda_svc._sqs_esm_concurrency
    lambda_svc._sqs_esm_concurrency = lambda *args, **rest: min(concurrency(*args, **rest), BATCHES_IN_FLIGHT)


def publish_as_the_schedule_specifies():
    """The event of a schedule on a bus has the source aws.scheduler; AWS takes source and detail-type from EventBridgeParameters."""
    invoke = eventbridge._invoke_target

    def invoke_target(target, event, rule, view=None):
        parameters = target.get("EventBridgeParameters")
        if parameters and event.get("Source") == "aws.scheduler":
            event = {**event, "Source": parameters["Source"], "DetailType": parameters["DetailType"]}
            view = None
        return invoke(target, event, rule, view)

    eventbridge._invoke_target = invoke_target


def refer_to_secrets_by_arn():
    """`Ref` of a secret is its name; on AWS it is the ARN, which our grants and the functions' environment variables contain."""
    handler = handlers["AWS::SecretsManager::Secret"]
    create, update, delete = handler["create"], handler["update"], handler["delete"]

    def by_arn(result):
        return (result[1]["Arn"], *result[1:])

    def name_of(arn):
        return next((name for name in list(secretsmanager._secrets) if secretsmanager._secrets[name].get("ARN") == arn), arn)

    handlers["AWS::SecretsManager::Secret"] = {
        **handler,
        "create": lambda *args, **rest: by_arn(create(*args, **rest)),
        "update": lambda arn, *args, **rest: by_arn(update(name_of(arn), *args, **rest)),
        "delete": lambda arn, *args, **rest: delete(name_of(arn), *args, **rest),
    }


def keep_the_ttl_of_tables():
    """MiniStack ignores CloudFormation's TimeToLiveSpecification, so no row would expire."""
    handler = handlers["AWS::DynamoDB::Table"]
    create = handler["create"]

    def create_with_ttl(logical_id, props, *args, **rest):
        result = create(logical_id, props, *args, **rest)
        spec = props.get("TimeToLiveSpecification")
        if spec:
            enabled = str(spec.get("Enabled", True)).lower() == "true"
            dynamodb._update_ttl({"TableName": result[0], "TimeToLiveSpecification": {**spec, "Enabled": enabled}})
        return result

    handlers["AWS::DynamoDB::Table"] = {**handler, "create": create_with_ttl}


def support_archives():
    """MiniStack's CloudFormation rejects AWS::Events::Archive, though the event bus itself can archive and replay."""

    def create(logical_id, props, stack_name, *_, **__):
        name = props.get("ArchiveName") or f"{stack_name}-{logical_id}"[:48]
        pattern = props.get("EventPattern")
        data = {
            "ArchiveName": name,
            "EventSourceArn": props["SourceArn"],
            "Description": props.get("Description", ""),
            "RetentionDays": int(props.get("RetentionDays", 0)),
            "EventPattern": pattern if isinstance(pattern, str) else json.dumps(pattern) if pattern else "",
        }
        status, _headers, body = eventbridge._create_archive(data)
        if status >= 400:
            raise ValueError(f"AWS::Events::Archive create failed: {body!r}")
        return name, {"Arn": json.loads(body)["ArchiveArn"], "ArchiveName": name}

    def delete(name, *_, **__):
        eventbridge._delete_archive({"ArchiveName": name})

    handlers["AWS::Events::Archive"] = {"create": create, "delete": delete}


def name_schedules_with_their_group():
    """MiniStack's IAM sees every schedule in the group `default`; AWS sees it in its own group, to which our grants are limited."""
    extract = iam_actions.extract_resource_arn

    def extract_resource_arn(service, method, path, headers, body, query_params, *rest):
        arn = extract(service, method, path, headers, body, query_params, *rest)
        if service != "scheduler" or ":schedule/default/" not in arn:
            return arn
        if method in ("POST", "PUT"):
            group = json.loads(body or b"{}").get("GroupName")
        else:
            group = (query_params.get("groupName") or [None])[0]
        return arn.replace(":schedule/default/", f":schedule/{group or 'default'}/")

    iam_actions.extract_resource_arn = extract_resource_arn


def name_the_logs_of_queries():
    """MiniStack's IAM sees a query of log groups on `*`; AWS sees it on each group. Here only the first group is checked."""
    extract = iam_actions.extract_resource_arn

    def extract_resource_arn(service, method, path, headers, body, query_params, region, account_id):
        groups = json.loads(body or b"{}").get("logGroupNames") if service == "logs" else None
        if groups:
            return f"arn:aws:logs:{region}:{account_id}:log-group:{groups[0]}:log-stream:"
        return extract(service, method, path, headers, body, query_params, region, account_id)

    iam_actions.extract_resource_arn = extract_resource_arn


def alarm_on_expressions():
    """MiniStack's CloudFormation rejects alarms on expressions. The maximum of several metrics becomes the first of them, and a query the metric that it selects."""
    record = provisioners._cw_metric_alarm_record

    def record_with_expression(name, props):
        metrics = props.get("Metrics") or []
        if not metrics:
            return record(name, props)
        plain = {key: value for key, value in props.items() if key != "Metrics"}
        for metric in metrics:
            if "MetricStat" in metric:
                stat = metric["MetricStat"]
                return record(name, {**plain, **stat["Metric"], "Period": stat["Period"], "Statistic": stat["Stat"]})
        (query,) = metrics
        selected, namespace = re.match(r'SELECT SUM\("(\w+)"\) FROM "(\w+)"', query["Expression"]).groups()
        ours = {"Namespace": namespace, "MetricName": selected, "Period": query["Period"], "Statistic": "Sum"}
        return record(name, {**plain, **ours})

    provisioners._cw_metric_alarm_record = record_with_expression


def accept_composite_alarms():
    """MiniStack's CloudFormation does not know composite alarms. They are never in the state ALARM here: test/alarms evaluates their rules."""

    def create(_logical_id, props, _stack_name, *_, **__):
        name = props["AlarmName"]
        return name, {"Arn": f"arn:aws:cloudwatch:{provisioners.get_region()}:{provisioners.get_account_id()}:alarm:{name}"}

    def update(physical_id, _old_props, new_props, stack_name, *_, **__):
        return create(physical_id, new_props, stack_name)

    handlers["AWS::CloudWatch::CompositeAlarm"] = {"create": create, "update": update, "delete": lambda *_, **__: None}


def publish_as_services_of_aws():
    """PutEvents rejects the sources of AWS, as AWS does. A test publishes what a service would."""
    put_events = eventbridge._put_events
    eventbridge._put_events = lambda data, **_: put_events(data, allow_aws_source=True)


def find_the_tags_of_instances():
    """MiniStack's Resource Groups Tagging API does not know EC2 instances."""

    def collect():
        for resource, tags in list(ec2._tags.items()):
            if resource.startswith("i-"):
                yield f"arn:aws:ec2:{tagging.get_region()}:{tagging._account()}:instance/{resource}", tags

    def write(spec, _arn, tags):
        ec2._tags[spec.resource.split("/")[-1]] = [{"Key": key, "Value": value} for key, value in tags.items()]

    tagging._COLLECTORS["ec2"] = collect
    tagging._WRITERS["ec2"] = write


def take_no_second_port():
    """With TLS it would also listen on port 443."""
    app._port_is_bindable = lambda *_: False


def end_with_the_functions():
    """Functions are separate processes, which would outlive it."""
    atexit.register(lambda_runtime.reset)


check_schedules_every_second()
limit_the_batches_in_flight()
publish_as_the_schedule_specifies()
refer_to_secrets_by_arn()
keep_the_ttl_of_tables()
support_archives()
name_schedules_with_their_group()
name_the_logs_of_queries()
record_decisions()
check_grants_between_services()
deliver_fairly()
alarm_on_expressions()
accept_composite_alarms()
publish_as_services_of_aws()
find_the_tags_of_instances()
take_no_second_port()
end_with_the_functions()
sys.exit(app.main())
