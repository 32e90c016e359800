import { notFound } from "next/navigation";
import { TextButton } from "@/components/button";
import { BankPage } from "@/components/page";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Card, Detail, Lead, Links } from "@/components/text";
import { services } from "@/lib/services";
import { replayAction } from "./actions";

const ROWS_MAX = 50;
const columns = ["When", "TPP and URI", "What it is told", "Delivery"] as const;

/** What TPPs are told of changes of status, and whether they have taken it. */
export default async function NotificationsPage() {
  const { config, profile, sandboxNotifications } = services();
  if (!config.SANDBOX) notFound();
  const [when, where, what, delivery] = columns;
  const rows = await sandboxNotifications.newest(ROWS_MAX);
  return (
    <BankPage title={`Notifications - ${profile.name}`} bankName={profile.name} place="Sandbox">
      <Card>
        <h1 id="notifications">Notifications</h1>
        <Links>
          <a href="/sandbox/notifications">Look again</a>
          <a href="/">Sandbox</a>
        </Links>
        {rows.length === 0 && (
          <Lead>None yet. A consent or payment with TPP-Notification-URI makes some.</Lead>
        )}
        {rows.length > 0 && (
          <ReflowingTable labelledBy="notifications" columns={columns}>
            {rows.map(({ id, at, tppId, url, data, takenAt, attempts, failure }) => (
              <ReflowingRow key={String(id)}>
                <ReflowingCell label={when} short>
                  <time dateTime={at.toISOString()}>{at.toISOString().slice(0, 19)}Z</time>
                </ReflowingCell>
                <ReflowingCell label={where}>
                  {tppId}
                  <Detail>{url}</Detail>
                </ReflowingCell>
                <ReflowingCell label={what}>
                  <code>{JSON.stringify(data)}</code>
                </ReflowingCell>
                <ReflowingCell label={delivery}>
                  {takenAt === null ? `Waits; ${attempts} attempts` : "Taken"}
                  {takenAt === null && failure !== null && <Detail>{failure}</Detail>}
                  <form action={replayAction}>
                    <input type="hidden" name="id" value={String(id)} />
                    <TextButton aria-label={`Send again: message ${id}`}>Send again</TextButton>
                  </form>
                </ReflowingCell>
              </ReflowingRow>
            ))}
          </ReflowingTable>
        )}
      </Card>
    </BankPage>
  );
}
