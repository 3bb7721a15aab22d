/** The topic that every alarm notifies. */
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic, type TopicProps } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export function alarmTopic(scope: Construct, props: Required<Pick<TopicProps, 'topicName' | 'masterKey'>>): Topic {
  const topic = new Topic(scope, 'Topic', { ...props, displayName: 'Evenkeel', enforceSSL: true });
  // enforceSSL creates a topic policy, which replaces the default one that allows CloudWatch to publish.
  topic.addToResourcePolicy(
    new PolicyStatement({
      sid: 'AlarmsOfThisAccount',
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  return topic;
}
