import { fileURLToPath } from "node:url";
import { loadSettings } from "./environment";
import { serve } from "./serve";
import { runWorker } from "./worker-process";

const root = fileURLToPath(new URL("../..", import.meta.url));

await runWorker((tls, shutdown) => serve(root, loadSettings(), tls, shutdown));
