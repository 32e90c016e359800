import { runServer } from "./start";

await runServer({ isBuilt: false });
