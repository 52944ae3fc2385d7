import { forShare, readCode } from "@/app/api/v1/reads";

export const GET = readCode(forShare);
