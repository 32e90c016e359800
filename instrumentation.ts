import { refuseForeignProcess } from "./lib/server/own-process";

/** Next calls it once in each process that serves the application, before the first request. */
export function register(): void {
  refuseForeignProcess();
}
