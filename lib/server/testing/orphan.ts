import { startEmbeddedDatabase } from "@/lib/server/embedded-database";

// A server of its own process, for a test that kills it: prints its database's address and waits.
const [, , dataDir = ""] = process.argv;
const { url } = await startEmbeddedDatabase({ dataDir });
console.log(url);
setInterval(() => undefined, 60_000);
