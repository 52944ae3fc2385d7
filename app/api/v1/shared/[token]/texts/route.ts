import { forShare, readText } from "@/app/api/v1/reads";

export const GET = readText(forShare);
