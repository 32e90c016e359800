import { api } from "@/app/(xs2a)/routes";
import { BankPage } from "@/components/bank-page";
import { house } from "@/lib/composition";
import { Reference } from "../reference";

export const dynamic = "force-dynamic";

export default function DocsPage() {
  const { name } = house().profile;
  return (
    <BankPage title={`API - ${name}`} bankName={name} place="For developers">
      <Reference api={api().document} />
    </BankPage>
  );
}
