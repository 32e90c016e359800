import { seal } from "@/tpp/signing";
import { openConnection, type Target } from "./connection";
import type { CheckedCall, Expected, Load } from "./orders";
import { type Call, shot } from "./shot";

const SAMPLES = 3;

/** How the server answers these calls. Throws when it refuses one. */
export async function checkedCalls(
  target: Target,
  { pem, key }: Load["seal"],
  calls: readonly Call[],
): Promise<readonly CheckedCall[]> {
  const sealing = seal(pem, key);
  const connection = await openConnection(target);
  try {
    const checked: CheckedCall[] = [];
    for (const call of calls) {
      const samples: Expected[] = [];
      while (samples.length < SAMPLES) {
        const { status, body } = await connection.send(shot(sealing, call).bytes);
        if (status >= 300) throw new Error(`HTTP ${status}: ${body.toString()}`);
        samples.push({ status, bodyBytes: body.byteLength });
      }
      checked.push({ call, expected: theSame(samples) });
    }
    return checked;
  } finally {
    connection.close();
  }
}

/** Throws when the same request is answered in different ways. */
export function theSame(samples: readonly Expected[]): Expected {
  const [first, ...rest] = samples;
  if (first === undefined) throw new Error("there is no answer");
  const differs = rest.some(
    ({ status, bodyBytes }) => status !== first.status || bodyBytes !== first.bodyBytes,
  );
  if (differs) throw new Error("the same request is answered in different ways");
  return first;
}
