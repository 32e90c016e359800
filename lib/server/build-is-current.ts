import { fileURLToPath } from "node:url";
import { isBuilt } from "./build";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Whether the build that this is a part of is of these very sources. */
export const isCurrent = (): Promise<boolean> => isBuilt(root);
