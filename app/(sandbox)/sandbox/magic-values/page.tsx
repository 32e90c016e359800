import { notFound } from "next/navigation";
import { BankPage } from "@/components/page";
import { ReflowingCell, ReflowingRow, ReflowingTable } from "@/components/table";
import { Card, Lead, Links } from "@/components/text";
import { magicValues } from "@/lib/sandbox/magic-values";
import { services } from "@/lib/services";

const columns = ["Where", "Value", "What comes of it"] as const;

/** What a TPP writes into a call of the sandbox to see something go wrong. */
export default function MagicValuesPage() {
  const { config, profile } = services();
  // The ledger of the sandbox itself knows them, and no other core bank.
  if (!config.SANDBOX || config.CORE_BANK_URL !== undefined) notFound();
  const [place, value, outcome] = columns;
  const rows = [
    ...magicValues.creditors.map((one) => ({ where: "creditorName of a payment", ...one })),
    ...magicValues.amounts.map((one) => ({ where: "amount of a payment, any currency", ...one })),
    ...magicValues.paymentLimits.map((one) => {
      return { where: "paymentLimit of a PSU of your own", ...one };
    }),
    ...magicValues.logins.map((one) => ({ where: "login of a PSU of your own", ...one })),
  ];
  return (
    <BankPage title={`Magic values - ${profile.name}`} bankName={profile.name} place="Sandbox">
      <Card>
        <h1 id="values">Magic values</h1>
        <Lead>
          Any TPP may use them in this sandbox. Outside it they are names like all others.
        </Lead>
        <Links>
          <a href="/">Sandbox</a>
        </Links>
        <ReflowingTable labelledBy="values" columns={columns}>
          {rows.map((row) => (
            <ReflowingRow key={row.value}>
              <ReflowingCell label={place} short>
                {row.where}
              </ReflowingCell>
              <ReflowingCell label={value} short>
                <code>{row.value}</code>
              </ReflowingCell>
              <ReflowingCell label={outcome}>{row.what}</ReflowingCell>
            </ReflowingRow>
          ))}
        </ReflowingTable>
      </Card>
    </BankPage>
  );
}
