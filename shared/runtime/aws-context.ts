/** The context of an invocation of a deployed function. */
import type { Environment } from '../aws/client-config.ts';
import { PowertoolsTelemetry } from '../aws/powertools-telemetry.ts';
import { environmentNames, readEnvironment } from '../core/environment.ts';
import type { InvocationContext } from '../core/invocation.ts';
import { readSettings } from '../core/settings.ts';
import type { SpanExporter } from '../core/span.ts';
import type { Telemetry } from '../core/telemetry.ts';
import { clock } from './moment.ts';

export function awsContext(environment: Environment): InvocationContext {
  const telemetry = new PowertoolsTelemetry(readEnvironment(environment, 'deployment'));
  const exportSpans = awsSpans(environment, telemetry);
  return { settings: readSettings(environment), telemetry, ...clock, ...(exportSpans && { exportSpans }) };
}

/** The exporter is loaded with the first spans: a function without traces does not load it. */
function awsSpans(environment: Environment, telemetry: Telemetry): SpanExporter | undefined {
  const to = environment[environmentNames.tracesTo];
  if (!to) return undefined;
  const service = readEnvironment(environment, 'deployment');
  let exporter: Promise<SpanExporter> | undefined;
  return async (spans) => {
    exporter ??= import('../aws/otlp-exporter.ts').then(({ otlpExporter }) =>
      otlpExporter({ to, service, telemetry, environment }),
    );
    await (await exporter)(spans);
  };
}
