import { join } from "node:path";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { BankPage } from "@/components/page";
import { Card, Links, Part } from "@/components/text";
import { demoQwac, demoTppFolder } from "@/lib/sandbox/demo-tpp";
import { examplesOf } from "@/lib/sandbox/exchange-examples";
import { visitOf } from "@/lib/sandbox/serve-demo-tpp";
import { services } from "@/lib/services";
import { explain } from "@/lib/workshop/explain";
import { Steps } from "../../../workshop/explain-form";
import { ExchangeView, titleOf } from "../../exchanges";

type Props = { readonly params: Promise<{ readonly number: string }> };

/** One exchange of the demo TPP: to send it again in four languages, and what the bank sees in it. */
export default async function ExchangePage({ params }: Props) {
  const ours = services();
  if (!ours.config.SANDBOX) notFound();
  const visit = await visitOf(ours, (await headers()).get("cookie"));
  const exchange = visit?.exchanges[Number((await params).number) - 1];
  if (exchange === undefined) notFound();
  const { pathname, search, host } = new URL(exchange.url);
  const qwac = await demoQwac(ours);
  const request = {
    method: exchange.method,
    target: pathname + search,
    headers: [["host", host] as const, ...Object.entries(exchange.headers)],
    body: Buffer.from(exchange.body),
  };
  const now = new Date(exchange.at);
  const steps = await explain({ request, qwac: qwac.raw }, { ...ours, now });
  const { name } = ours.profile;
  // On a public sandbox the developer has no access to the server's files.
  const certificates = ours.config.SANDBOX_PUBLIC
    ? "/tmp/my-tpp"
    : join(demoTppFolder(ours), "certificates");
  return (
    <BankPage title={`Exchange - ${name}`} bankName={name} place="Sandbox" width="console">
      <script type="module" src="/built/copy-code.js" />
      <Card>
        <h1 className="wrap-anywhere">{titleOf(exchange)}</h1>
        <Links>
          <a href="/sandbox/tpp">Demo TPP</a>
        </Links>
        <ExchangeView exchange={exchange} qwac={qwac} />
        {examplesOf(exchange, certificates).map(({ language, code }) => (
          <Part key={language} id={language} heading={`Copy as ${language}`}>
            <pre>
              <code>{code}</code>
            </pre>
          </Part>
        ))}
        <Part id="explain" heading="Explain">
          <h3>What the bank checks</h3>
          <Steps steps={steps} />
        </Part>
      </Card>
    </BankPage>
  );
}
