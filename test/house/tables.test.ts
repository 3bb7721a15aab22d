import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runbookSections } from '../../infra/constructs/alarms.ts';
import { queueFunctions } from '../../local/functions.ts';
import { catalogue, type EventType } from '../../shared/bus/catalogue.ts';
import { type FunctionDefinition, type FunctionName, functionNames, functions } from '../../shared/bus/functions.ts';
import { routes } from '../../shared/bus/routes.ts';
import { deploymentSchedule, hubSchedules } from '../../shared/bus/schedules.ts';
import { storeNames, tableActions } from '../../shared/bus/table-actions.ts';
import { watchedKinds } from '../../shared/bus/watched-kinds.ts';
import { findingSections } from '../../shared/console-api/health-findings.ts';
import { logCodes } from '../../shared/core/log-codes.ts';
import { settingDefinitions, settingNames } from '../../shared/core/settings.ts';

const types = Object.keys(catalogue) as EventType[];

function definition(name: FunctionName): FunctionDefinition {
  return functions[name];
}

function consumes(name: FunctionName): EventType[] {
  return routes.flatMap((route) => (route.function === name ? route.consumes : []));
}

/** A function's shell and the decision beside it, with what of their folder the shell imports, and what reads or writes for it in shared. */
function source(name: FunctionName): string {
  const shell = readFileSync(`functions/${name}.lambda.ts`, 'utf8');
  const files = new Set([`functions/${name}.ts`]);
  const addBeside = (text: string): void => {
    for (const [, file = ''] of text.matchAll(/from '\.\/([^']+)'/g)) {
      const path = join(dirname(`functions/${name}`), file);
      if (files.has(path)) continue;
      files.add(path);
      // What else does I/O for the shell (read-*.ts, write-*.ts) brings decisions of its own.
      if (/\/(read|write)-[^/]*$/.test(path)) addBeside(readFileSync(path, 'utf8'));
    }
  };
  addBeside(shell);
  const text = [shell, ...[...files].map((file) => readFileSync(file, 'utf8'))].join('\n');
  const writers = new Set(
    [
      ...text.matchAll(
        /from '\.\.\/\.\.\/(shared\/(?:(?:scheduler|move-budget|karmada)\/write-|(?:move-budget|placement-history|rebalance-policy|workload-rebalancer)\/read-)[^']+)'/g,
      ),
    ].map(([, file = '']) => file),
  );
  return [text, ...[...writers].map((file) => readFileSync(file, 'utf8'))].join('\n');
}

/** What its shell and decision name of the catalogue; what publishes by the table of watched kinds, or of schedules, names all that is in it. */
function namedEvents(name: FunctionName): readonly string[] {
  const text = source(name);
  const imported = [...text.matchAll(/import \{([^}]*)\} from '[^']*bus\/catalogue\.ts'/g)].flatMap(
    ([, list = '']) => list.match(/\w+/g) ?? [],
  );
  const watches = /from '.\/admit-batch\.ts'/.test(text);
  const schedules = /\bhubSchedules\b/.test(text);
  return [
    ...new Set([
      ...imported,
      ...(watches
        ? [
            ...watchedKinds.flatMap(({ publishes, status }) => [publishes, ...(status ? [status.publishes] : [])]),
            'ResyncDue',
          ]
        : []),
      ...(schedules ? hubSchedules.map(({ publishes }) => publishes) : []),
    ]),
  ];
}

describe('the catalogue', () => {
  it('lists every event under its own type', () => {
    expect(Object.values(catalogue).map(({ type }) => type)).toEqual(types);
  });

  it.each(types)('%s has a publisher and a consumer', (type) => {
    const publishers = functionNames.filter((name) =>
      [...definition(name).publishes, ...definition(name).schedules].includes(type),
    );
    const scheduled = [deploymentSchedule].filter((schedule) => schedule.publishes === type);
    // AWS and users publish those from outside.
    expect([...publishers, ...scheduled].length === 0).toBe('external' in catalogue[type]);
    expect(routes.filter(({ consumes }) => (consumes as readonly EventType[]).includes(type))).not.toEqual([]);
  });
});

describe.each(functionNames)('%s', (name) => {
  it('names in its source exactly the events that the tables list as consumed and published', () => {
    const { publishes, schedules } = definition(name);
    expect([...namedEvents(name)].sort()).toEqual(
      [...new Set<string>([...consumes(name), ...publishes, ...schedules])].sort(),
    );
  });

  it.each(storeNames)('calls exactly the methods of the store %s that its definition lists', (store) => {
    const calls = [...source(name).matchAll(new RegExp(`(?:(?<![.\\w])|ports\\.)${store}\\.(\\w+)\\(`, 'g'))]
      .map(([, method = '']) => method)
      .filter((method) => Object.hasOwn(tableActions[store], method));
    expect([...new Set(calls)].sort()).toEqual([...(definition(name).stores[store] ?? [])].sort());
  });

  it('calls exactly the methods of the registry of hubs that its definition lists', () => {
    const calls = [...source(name).matchAll(/\bregistry\.(\w+)\(/g)].map(([, method = '']) => method);
    expect([...new Set(calls)].toSorted()).toEqual([...(definition(name).registry ?? [])].toSorted());
  });

  it('reads or redrives queues exactly if its definition states it', () => {
    const text = source(name);
    const reading = /\bqueues\.(statuses|deadLetters)\(/.test(text) ? 'reads' : undefined;
    expect(/\bqueues\.redrive\(/.test(text) ? 'redrives' : reading).toBe(definition(name).queues);
  });

  it('writes connections exactly if its definition states it', () => {
    const writes = /\bconnections\.replaceToken\(/.test(source(name));
    expect(writes).toBe(definition(name).writesConnections === true);
  });

  it('calls exactly the methods of the registry that its definition lists, and those behind a pause', () => {
    const calls = [...source(name).matchAll(/(?:(?<![.\w])|ports\.)registry\.(\w+)\(/g)].map(
      ([, method = '']) => method,
    );
    const behindPauses = /\bconnections\.(pause|resume)\(/.test(source(name)) ? ['read', 'write'] : [];
    const { registry = [] } = definition(name);
    expect([...new Set([...calls, ...behindPauses])].sort()).toEqual([...registry].sort());
  });

  it('is invoked as its definition states', () => {
    expect(consumes(name).length > 0).toBe(definition(name).invokedBy === 'queue');
    expect(Object.keys(queueFunctions).includes(name)).toBe(definition(name).invokedBy === 'queue');
  });
});

describe('routes', () => {
  it('have unique names that are short enough for the names of queues', () => {
    const names = routes.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-z-]{1,30}$/);
  });

  it.each(routes.map((route) => [route.name, route.queue] as const))(
    '%s: a batch above ten waits, as AWS wants it',
    (_, queue) => {
      expect(queue.batchSize <= 10 || queue.batchWindowSeconds >= 1).toBe(true);
      expect(queue.maxConcurrency).toBeGreaterThanOrEqual(2);
    },
  );
});

describe('log codes', () => {
  it.each(Object.keys(logCodes))('%s is used', (code) => {
    const folders = ['functions', 'bridge', 'shared'];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    );
    const texts = files
      .filter((file) => file.endsWith('.ts') && file !== join('shared', 'core', 'log-codes.ts'))
      .map((file) => readFileSync(file, 'utf8'));
    expect(texts.some((text) => text.includes(`'${code}'`))).toBe(true);
  });
});

describe('settings', () => {
  it.each(settingNames)('%s has a default within its range, a unit and a reader', (name) => {
    const { default: fallback, min, max, unit, readBy } = settingDefinitions[name];
    expect(fallback >= min && fallback <= max).toBe(true);
    expect(unit).not.toBe('');
    expect(readBy.length).toBeGreaterThan(0);
  });

  it.each(settingNames)('%s is read in the source of exactly the functions that its definition lists', (name) => {
    const shortName = (of: FunctionName): string => of.slice(of.indexOf('/') + 1);
    const readers = functionNames.filter((of) => new RegExp(`\\b${name}\\b`).test(source(of))).map(shortName);
    const listed = settingDefinitions[name].readBy.filter((reader) => functionNames.map(shortName).includes(reader));
    expect(listed.toSorted()).toEqual(readers.toSorted());
  });

  it.each(settingNames)('%s is read somewhere', (name) => {
    const folders = ['functions', 'shared', 'infra', 'local'];
    const files = folders.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
    );
    const texts = files
      .filter((file) => file.endsWith('.ts') && file !== join('shared', 'core', 'settings.ts'))
      .map((file) => readFileSync(file, 'utf8'));
    expect(texts.some((text) => new RegExp(`\\b${name}\\b`).test(text))).toBe(true);
  });
});

describe('docs', () => {
  it('match the tables', () => {
    execFileSync(process.execPath, ['scripts/write-docs.ts', '--check'], { stdio: 'pipe' });
  });

  it('the runbook has an entry for every kind of alarm and finding, and no other', () => {
    const headings = [...readFileSync('docs/operations/runbook.md', 'utf8').matchAll(/^## (.+)$/gm)].map(
      ([, heading]) => heading,
    );
    expect(headings.sort()).toEqual([...new Set([...runbookSections, ...findingSections])].sort());
  });

  it('the page of the functions names each of their files', () => {
    const page = readFileSync('functions/README.md', 'utf8');
    const files = readdirSync('functions', { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const named = (file: string) =>
      page.includes(`](${file})`) || page.includes(`](${file.replace('.lambda.ts', '.ts')})`);
    expect(files.filter((file) => !named(file))).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
  });
});

describe('docs/operations/limits.md', () => {
  const limits = [...readFileSync('docs/operations/limits.md', 'utf8').matchAll(/`([^`]+\.ts)`: `([^`]+)`/g)];

  it('names at least ten constants of the code', () => {
    expect(limits.length).toBeGreaterThan(10);
  });

  it.each(limits.map(([, file = '', constant = '']) => [constant, file]))(
    'has the value of %s in %s',
    (constant, file) => {
      expect(readFileSync(file, 'utf8')).toContain(`const ${constant};`);
    },
  );
});
