/** The sources that rules and the archive accept. */
import { Match } from 'aws-cdk-lib/aws-events';
import { HUB_SOURCE_PREFIX, SOURCE } from '../../shared/bus/event.ts';

/** Functions and schedules. */
export const ownSource: readonly string[] = [SOURCE];

/** These, and the bridge of every hub. Consumers check that a bridge reports its own hub. */
export const ownAndBridges: readonly string[] = Match.anyOf(SOURCE, Match.prefix(HUB_SOURCE_PREFIX));

/** All others: events of users on this bus, and those that other accounts send to it. */
export const otherSources: readonly string[] = Match.anythingButPrefix(SOURCE);
