import { api } from "@/app/(xs2a)/routes";
import { BankPage } from "@/components/page";
import { services } from "@/lib/services";
import { Reference } from "../reference";

export const dynamic = "force-dynamic";

export default function DocsPage() {
  const { name } = services().profile;
  return (
    <BankPage title={`API - ${name}`} bankName={name} place="For developers">
      <Reference api={api().document} />
    </BankPage>
  );
}
