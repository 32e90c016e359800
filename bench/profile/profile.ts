import { availableParallelism } from "node:os";
import { steadyPort } from "@/e2e/harness/steady-port";
import { closingAfter } from "../closings";
import { CONSENTS } from "../compare";
import { checkedCalls } from "../load/checked";
import { startClients, type Volley } from "../load/clients";
import type { Options } from "../options";
import { readyBank } from "../ready-bank";
import type { ScenarioName } from "../scenarios";
import { type ProfileSummary, type Share, summarise } from "./summary";
import { takeProfile } from "./take-profile";

export type Profiles = Readonly<Partial<Record<ScenarioName, ProfileSummary & Requests>>>;
type Requests = { readonly requests: number };

const SIGNED_A_SECOND = 600;

/** Where the server spends its time at saturation, request by request. */
export function profile(options: Options, say: (line: string) => void): Promise<Profiles> {
  return closingAfter(async (closings) => {
    const { connections, only, seconds } = options;
    const inspectPort = await steadyPort();
    const environment = { NODE_OPTIONS: `--inspect-port=${inspectPort}` };
    const wanted = { only, consents: CONSENTS, environment };
    const { scenarios, seal, server, settings, target } = await readyBank(closings, wanted);
    const clients = startClients(availableParallelism());
    closings.add(clients.close);
    const profiles: [ScenarioName, ProfileSummary & Requests][] = [];
    for (const { name, calls } of scenarios) {
      const load = {
        target: target(settings.xs2aPort),
        seal,
        calls: await checkedCalls(target(settings.xs2aPort), seal, await calls()),
        connections: Math.ceil(connections / clients.count),
        again: false,
        pace: { kind: "closed", seconds },
        signedBefore: Math.ceil((seconds * SIGNED_A_SECOND) / clients.count),
      } as const;
      await clients.fire(() => load);
      const volleys: Volley[] = [];
      const taken = await takeProfile({ pid: server.pid, inspectPort }, async () => {
        volleys.push(await clients.fire(() => load));
      });
      const requests = volleys.reduce((sum, { latencies }) => sum + latencies.length, 0);
      const summary = { ...summarise(taken), requests };
      profiles.push([name, summary]);
      say(inWords(name, summary));
    }
    return Object.fromEntries(profiles);
  });
}

function inWords(name: ScenarioName, summary: ProfileSummary & Requests): string {
  const { busy, functions, groups, requests } = summary;
  const list = (shares: readonly Share[]) =>
    shares
      .map(({ name, share }) => `${(share * 100).toFixed(1).padStart(6)} %  ${name}`)
      .join("\n");
  const each = `${(busy / requests).toFixed(2)} ms of the main thread a request`;
  return `\n## ${name}: ${each}\n\n${list(groups)}\n\n${list(functions)}`;
}
