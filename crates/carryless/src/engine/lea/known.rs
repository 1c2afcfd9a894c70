//! The known answers of LEA, computed by a model that shares no line with this library.
#![forbid(unsafe_code)]

use super::super::block_test::{self, KnownBlocks};
use super::super::results::{Tests, tests};
use super::super::self_test::{self, KnownAnswer, LENGTHS};
use super::super::{Lea128, Lea192, Lea256};

self_test::known! {
    Lea128 [
        0x0633_a69b_ebf7_37bf_ea95_84a5_be27_a676
        0xa71b_e149_2e8a_bf36_9298_e3a4_5dbe_4c0d
        0x9440_789f_e032_d512_2dd6_cccd_c51c_32c1
        0x18ae_6736_d4a2_7f01_960a_01ec_6ed7_b335
        0xff79_1fec_95f2_a36b_6d75_1f69_0ded_bf1e
        0x1469_94f4_0ca8_a22f_1457_6028_9da5_1d56
    ] [0xa4fc_545e_b775_6a5e_1009_141a_9ab6_c0a6];
    Lea192 [
        0x6ae4_938e_35a0_7754_4a9c_e90f_d988_9e49
        0x379a_9013_20ea_aa37_92dd_7c1f_5c40_9368
        0xfba3_a400_3edd_9e51_f2a1_655b_b05d_4128
        0xac60_3c82_8ec2_5a9d_f0b1_07e8_6953_5098
        0x6c55_5e63_87fe_8891_eea0_f209_4e0f_c3bc
        0xa9e7_c8e5_cd89_c97b_7915_8761_eaa4_2d10
    ] [0x576a_a385_6c3d_ec65_2f6e_1bc5_71b5_aef5];
    Lea256 [
        0xcadb_3c9a_8b9e_0dc6_152d_14bb_c05d_b982
        0xcc82_4874_eb97_cc38_9218_6672_9c89_3258
        0x8f7a_050a_bfae_16f1_56ce_b8bd_30db_314e
        0xb7cf_96ea_ee6d_6b68_7e5b_07ed_f48e_101b
        0x0e08_d092_1150_438b_bb53_b361_78bc_bce4
        0x6d3a_8cea_0e3f_4cab_23be_6069_01bc_ac77
    ] [0x16ae_881c_1798_badd_8a65_ecea_4bec_d26d];
}

block_test::known! {
    Lea128 0x2437_cec2_5d8e_5034_a31f_c80a_139c_91d3 0xc630_27da_5f31_d169_0aa6_4a35_09d2_8c5a 0xf9e9_fc23_d844_02f8_0d38_2ec8_339b_4940;
    Lea192 0x0eab_b4b8_70f7_1d0b_3a27_f392_84e1_43a8 0xed01_49a4_a488_2558_2d1f_ac20_6a41_8acb 0x3801_a0a8_b4db_f2ff_1c5e_2f26_15b6_752d;
    Lea256 0x6cfc_43cd_9903_bfdd_008b_614c_0e6a_8937 0x1bf8_a011_5947_765c_ee9e_42d0_18ed_6eb8 0x276a_450e_5a14_ef14_ba43_24b8_9c17_8ee3;
}
