/** Events of AWS with everything deployed: from the default bus through the deployed rules to replicas that are assigned to other clusters. */
import { CreateTagsCommand, EC2Client, RunInstancesCommand } from '@aws-sdk/client-ec2';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EKS_CLUSTER, ZONES } from '../../../../shared/external-events/aws-cluster.ts';
