import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { serveCrl, serveOcsp } from "@/lib/sandbox/certificate-status";
import { systemClock } from "@/lib/system-clock";

/** The throwaway authority of `dataDir` answers for TPPs' certificates; false for a request that asks nothing of it. */
export function certificateStatus(dataDir: string) {
  const authority = { config: { SANDBOX: true, DATA_DIR: dataDir }, clock: systemClock };
  return (incoming: IncomingMessage, answer: ServerResponse): boolean => {
    const [, ocsp, inPath] =
      /^\/sandbox\/(?:(ocsp)(?:\/(.+))?|crl)$/.exec(incoming.url ?? "/") ?? [];
    if (ocsp === undefined && incoming.url !== "/sandbox/crl") return false;
    void answerStatus(authority, { incoming, answer, ocsp: ocsp !== undefined, inPath });
    return true;
  };
}

type Asked = {
  readonly incoming: IncomingMessage;
  readonly answer: ServerResponse;
  readonly ocsp: boolean;
  readonly inPath: string | undefined;
};

async function answerStatus(
  authority: Parameters<typeof serveOcsp>[0],
  { incoming, answer, ocsp, inPath }: Asked,
): Promise<void> {
  const body = new Uint8Array(await buffer(incoming));
  const asked = new Request("https://localhost", { method: "POST", body });
  const served = await (ocsp ? serveOcsp(authority, asked, inPath) : serveCrl(authority));
  answer.writeHead(served.status, Object.fromEntries(served.headers));
  answer.end(Buffer.from(await served.arrayBuffer()));
}
