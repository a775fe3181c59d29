// What relay-compiler reads. It is not run: relay.mjs uses the artifacts, as babel-plugin-relay would make it do.
import { graphql } from "relay-runtime";

export const video = graphql`
  query videoQuery($key: String!) {
    entity(business: "video", key: $key) {
      title
      likeCount
      viewerReaction
    }
  }
`;

export const like = graphql`
  mutation videoLikeMutation($id: ID!) {
    like(input: { targetId: $id }) {
      target {
        id
        likeCount
        viewerReaction
      }
      userErrors {
        code
      }
    }
  }
`;
