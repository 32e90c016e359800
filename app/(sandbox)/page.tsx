import { NoticePage } from "@/components/notice-page";
import { house } from "@/lib/composition";
import { SandboxFront } from "./front";

export const dynamic = "force-dynamic";

export default function FrontPage() {
  const { config, profile } = house();
  if (config.SANDBOX) {
    return (
      <SandboxFront bankName={profile.name} webUrl={config.WEB_URL} xs2aUrl={config.XS2A_URL} />
    );
  }
  return (
    <NoticePage
      title={profile.name}
      bankName={profile.name}
      place="Online banking"
      heading="Nothing to do here"
      lead="Who comes here is sent by an app or website that asks for access to accounts. Start there."
    >
      <p className="lead">
        For developers: <a href="/docs">the API, call by call</a>.
      </p>
    </NoticePage>
  );
}
