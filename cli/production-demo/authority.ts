import { createServer } from "node:http";
import path from "node:path";
import { loadServerCertificate } from "@/lib/sandbox/server-certificate";
import { sandboxSecrets } from "@/lib/server/data-folder";
import { runUntilStopped } from "@/lib/server/processes";
import { sandboxAuthority } from "@/lib/server/tls";
import { systemClock } from "@/lib/system-clock";
import { certificateStatus } from "./certificate-status";

/**
 * Of deploy/compose.yaml: makes in DATA_DIR what a bank has of its own (a certificate and its key, the key that signs
 * tokens) and a throwaway authority of TPPs, which answers for their certificates at port 8080.
 */
const PORT = 8080;

await runUntilStopped(async (shutdown) => {
  const dataDir = path.resolve(process.env["DATA_DIR"] ?? ".data");
  const now = await systemClock.now();
  const authority = await sandboxAuthority(dataDir, now);
  const file = path.join(dataDir, "server.pem");
  await loadServerCertificate(authority, { file, host: "bank.localhost", now });
  await sandboxSecrets(dataDir, {});
  const answerStatus = certificateStatus(dataDir);
  const server = createServer((incoming, answer) => {
    if (!answerStatus(incoming, answer)) answer.writeHead(404).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(PORT, resolve);
  });
  shutdown.onStop({
    finish: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
  console.log("The authority is ready.");
});
