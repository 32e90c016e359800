/**
 * Names the process in which our own start has begun to serve. The value is the number of the process, so it
 * says nothing for a child that has inherited it or for a start that finds it in a file of settings.
 */
export const OWN_PROCESS = "DRAWBRIDGE_PROCESS";

export function markOwnProcess(): void {
  process.env[OWN_PROCESS] = String(process.pid);
}

/**
 * Next alone believes any `Client-Cert` header, since only our listeners know who may set it: in a process
 * that they do not guard nothing is served.
 */
export function refuseForeignProcess(): void {
  if (process.env[OWN_PROCESS] === String(process.pid)) return;
  console.error("Drawbridge serves nothing without its own listeners: start it with npm start");
  process.exit(1);
}
