export { downloadPermissions as GET } from "@/lib/psu/own-channel/download";
