import { notFound } from "next/navigation";
import { BankPage } from "@/components/page";
import { psd2Roles } from "@/lib/sandbox/certificate-order";
import { defects, isDefect } from "@/lib/sandbox/defects";
import { services } from "@/lib/services";
import { CertificateForm } from "./certificate-form";
import { ExplainForm } from "./explain-form";

const choices = Object.keys(defects)
  .filter(isDefect)
  .map((name) => ({ name, what: defects[name].what }));

/** Where a TPP's developer finds out why, and gets certificates to try it with. */
export default function WorkshopPage() {
  const { config, profile } = services();
  if (!config.SANDBOX) notFound();
  return (
    <BankPage title={`TPP workshop - ${profile.name}`} bankName={profile.name} place="Sandbox">
      <div className="card">
        <h1>TPP workshop</h1>
        <p className="lead">
          Nothing that is pasted here is kept. Private keys do not belong here: not even this bank
          ever needs yours. <a href="/">Sandbox</a>
        </p>
        <h2>Explain a request</h2>
        <ExplainForm />
      </div>
      <div className="card">
        <h2>Make certificates, good and bad</h2>
        <CertificateForm roles={psd2Roles} defects={choices} />
      </div>
    </BankPage>
  );
}
