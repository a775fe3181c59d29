/** The settings of Plaudit that the peer shares. `bench/peers` passes them as JSON. */

export const settings = JSON.parse(process.env.PEER_SETTINGS)
