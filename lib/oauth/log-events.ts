import type Provider from "oidc-provider";
import { isUnavailable, outageIn } from "@/lib/domain/unavailable";
import { log } from "@/lib/log";

/** Events for the bank's operators: which client, which error, and never what was sent. */
export function logEvents(provider: Provider): void {
  provider.on("grant.error", (ctx, error) => {
    log.info({ client: ctx.oidc.client?.clientId, error: error.message }, "token refused");
  });
  provider.on("authorization.error", (ctx, error) => {
    log.info({ client: ctx.oidc.client?.clientId, error: error.message }, "authorisation refused");
  });
  provider.on("server_error", (ctx, error) => {
    logFault(error, `${ctx.method} ${ctx.oidc.route}`);
    // The one place in which the library shows what went wrong; the bridge reads the status.
    if (isUnavailable(error)) ctx.status = 503;
  });
  // Koa prints, message and all, what none of the above has seen; that is done here instead.
  provider.silent = true;
  provider.use(async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logFault(error, "middleware");
      ctx.status = isUnavailable(error) ? 503 : 500;
    }
  });
}

/** Without the message: a database's repeats the values of the query. What is away is told in words of our own. */
export function logFault(fault: unknown, where: string): void {
  const error = fault instanceof Error ? fault : new Error(typeof fault);
  const frames = error.stack?.split("\n").filter((line) => /^\s+at /.test(line));
  const told = { fault: error.name, away: outageIn(error), where, frames };
  log.error(told, "authorisation server fault");
}
