import type { CodegenConfig } from "@graphql-codegen/cli";
import { addTypenameSelectionDocumentTransform } from "@graphql-codegen/client-preset";

const config: CodegenConfig = {
  schema: "../../schema.graphql",
  documents: ["src/operations/*.graphql"],
  generates: {
    "src/generated/": {
      preset: "client",
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: "sha256" } },
      config: {
        enumsAsTypes: true,
        useTypeImports: true,
        onlyOperationTypes: true,
        skipTypename: false,
        scalars: { ID: "string", Count: "number", DateTime: "string", JSON: "unknown" },
      },
      documentTransforms: [addTypenameSelectionDocumentTransform],
    },
  },
};

export default config;
