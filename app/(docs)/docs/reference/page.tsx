import { api } from "@/app/(xs2a)/routes";
import { services } from "@/lib/services";
import { DocsPage } from "../../docs-page";
import { Reference } from "../../reference";

export default async function ReferencePage() {
  const { document } = api();
  const accounts = services().sandbox ? await anasAccounts() : undefined;
  return (
    <DocsPage title={document.info.title}>
      <Reference api={document} accounts={accounts} />
    </DocsPage>
  );
}

async function anasAccounts() {
  // Not before: with the profile of a bank that runs no sandbox there may be no such accounts.
  const { demoAccounts, ownIban } = await import("@/lib/sandbox/demo-bank-people");
  const { anaCurrent, travelEur } = demoAccounts;
  return { current: ownIban(anaCurrent.number), travel: ownIban(travelEur.number) };
}
