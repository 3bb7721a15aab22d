/** npm run rig: starts the real parts for manual use, and stops them. */
import { build } from './cache/build.ts';
import { lastLines } from './command.ts';
import { type Commands, parseCommandLine, usage } from './command-line.ts';
import { RigFailure } from './failure.ts';
import { startAws } from './parts/aws.ts';
import { hookOptions } from './parts/evenkeel.ts';
import { type Hub, startHub } from './parts/hub.ts';
import { startKarmada } from './parts/karmada.ts';
import { startManagedCluster } from './parts/managed-cluster.ts';
import { type Member, startMember } from './parts/member.ts';
import { place, startOcm } from './parts/ocm.ts';
import { Rig, rigExists } from './rig.ts';

const MEMBER_SIZE = { nodes: 2, cpu: 4 };

async function up(rig: Rig, commands: Commands): Promise<void> {
  const { parts, members } = commands;
  const hub = await startHub(rig, { karmada: parts.includes('karmada') || !parts.includes('ocm') });
  if (parts.includes('karmada')) {
    const started: Member[] = [];
    for (let number = 1; number <= members; number += 1) {
      started.push(await startMember(rig, `member${number}`, MEMBER_SIZE));
    }
    await startKarmada(rig, hub, started);
  }
  if (parts.includes('ocm')) {
    await startOcm(rig, hub);
    for (let number = 1; number <= members; number += 1) {
      await startManagedCluster(rig, hub, { name: `spoke${number}`, size: MEMBER_SIZE });
    }
    await place(hub, 'all');
  }
  if (parts.includes('aws')) {
    const { emulator, deployment } = await startAws(rig, hub);
    console.log(
      `AWS is at https://127.0.0.1:${emulator.port}, with both stacks deployed; the hub's events go to ${deployment.hookUrl}`,
    );
  }
  console.log(howToGoOn(hub, commands));
}

function howToGoOn(hub: Hub, { parts, name }: Commands): string {
  const run = `npm start -- ${hookOptions(hub).join(' ')} --kubeconfig`;
  const lines = ['', 'The hub is up.', `  export KUBECONFIG=${hub.adminKubeconfig}`];
  if (!parts.includes('aws'))
    lines.push(
      "Evenkeel on it, with the account we ship, where the hub's audit events go:",
      `  ${run} ${hub.kubeconfig}`,
    );
  if (parts.includes('karmada'))
    lines.push('The story on it, as its administrator:', `  ${run} ${hub.adminKubeconfig} --story failback`);
  if (parts.includes('ocm'))
    lines.push('Workloads for its managed clusters:', '  kubectl apply -f examples/elastic-workload.yaml');
  return [
    ...lines,
    'And then:',
    `  npm run rig -- status | logs | down${name === 'rig' ? '' : ` --name ${name}`}`,
  ].join('\n');
}

function status({ processes, name, folder }: Rig): void {
  console.log(`the rig ${name}, in ${folder}`);
  for (const one of processes.names) {
    const pid = processes.pid(one);
    console.log(
      `  ${one.padEnd(32)} ${pid === undefined ? 'has ended' : `pid ${pid}, ${processes.memoryMiB(one)} MiB`}`,
    );
  }
}

function logs({ processes }: Rig, { process, lines }: Commands): void {
  if (process !== undefined && !processes.names.includes(process)) {
    throw new RigFailure(`logs ${process}: no such process; there are ${processes.names.join(', ') || 'none'}`);
  }
  for (const one of process === undefined ? processes.names : [process]) {
    console.log(`==> ${processes.logFile(one)}\n${lastLines(processes.log(one), lines)}\n`);
  }
}

async function main(): Promise<void> {
  const commands = parseCommandLine(process.argv.slice(2));
  if (commands === undefined) return console.log(usage);
  if (commands.command === 'build') return build(commands.parts);
  if (commands.command !== 'up' && !rigExists(commands.name)) return console.log(`the rig ${commands.name} is down`);
  const rig = new Rig(commands.name);
  switch (commands.command) {
    case 'up':
      return up(rig, commands);
    case 'status':
      return status(rig);
    case 'logs':
      return logs(rig, commands);
    case 'down':
      return rig.down();
  }
}

try {
  await main();
} catch (thrown) {
  if (!(thrown instanceof RigFailure)) throw thrown;
  console.error(thrown.message);
  process.exitCode = 1;
}
