import { notFound } from "next/navigation";
import { BankPage } from "@/components/page";
import { operationsOffered } from "@/lib/sandbox/api/serve";
import { DEMO_TPP } from "@/lib/sandbox/demo-tpp";
import { services } from "@/lib/services";
import { CallForm } from "./call-form";

export const dynamic = "force-dynamic";

/** The namespace of the demo TPP: what is there, and the calls that make more. */
export default function NamespacePage() {
  const { namespaces, profile } = services();
  if (namespaces === undefined) notFound();
  return (
    <BankPage title={`Own people - ${profile.name}`} bankName={profile.name} place="Sandbox">
      <div className="card">
        <h1>People and accounts of a TPP’s own</h1>
        <p className="lead">
          Of {DEMO_TPP.name} ({DEMO_TPP.id}) here; your TPP sends the same calls over mutual TLS to{" "}
          <code>/sandbox/api/v1</code>. <a href="/">Sandbox</a>
        </p>
        <h2>A call</h2>
        <CallForm operations={operationsOffered} />
      </div>
    </BankPage>
  );
}
