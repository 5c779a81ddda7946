//! The named embedded pairs.

use super::embedded_pair::{EmbeddedPair, EstimateRule, PairTableau};
use crate::tableau::{
    ExplicitPair, bogacki_shampine::BOGACKI_SHAMPINE, dormand_prince::DORMAND_PRINCE, dormand_prince_853::DOP853,
    tsitouras::TSITOURAS, verner_65::VERNER_65, verner_98::VERNER_98,
};

macro_rules! pairs {
    ($(
        $(#[doc = $doc:literal])*
        $method:ident($marker:ident, $name:literal, $stages:literal, $extended:literal, $degree:literal):
        order $order:literal, error $power:literal, $pair:ident, $last:literal, $estimate:ident, $differences:literal;
    )*) => {$(
        $(#[doc = $doc])*
        pub type $method<R> = EmbeddedPair<R, $marker, $stages, $extended, $degree>;

        #[doc = concat!("The tableau of [`", stringify!($method), "`].")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $marker;

        impl PairTableau<$stages, $extended, $degree> for $marker {
            const NAME: &'static str = $name;
            const ORDER: u32 = $order;
            const ERROR_POWER: u32 = $power;
            const PAIR: &'static ExplicitPair<$stages, $extended, $degree> = &$pair;
            const FIRST_SAME_AS_LAST: bool = $last;
            const ESTIMATE: EstimateRule = EstimateRule::$estimate;
            const INTERPOLATES: bool = true;
            const FROM_DIFFERENCES: bool = $differences;
        }
    )*};
}

pairs! {
    /// Bogacki–Shampine 3(2), for loose tolerances. A step costs 3 accelerations. Its interpolant of order 3 costs no more.
    BogackiShampine3(BogackiShampine3Tableau, "Bogacki–Shampine 3(2)", 4, 4, 3):
    order 3, error 3, BOGACKI_SHAMPINE, true, Difference, false;
    /// Dormand–Prince 5(4). A step costs 6 accelerations. Its interpolant of order 4 costs no more.
    DormandPrince5(DormandPrince5Tableau, "Dormand–Prince 5(4)", 7, 7, 4):
    order 5, error 5, DORMAND_PRINCE, true, Difference, false;
    /// Tsitouras 5(4), for medium tolerances. A step costs 6 accelerations. Its interpolant of order 4 costs no more.
    Tsitouras5(Tsitouras5Tableau, "Tsitouras 5(4)", 7, 7, 4):
    order 5, error 5, TSITOURAS, true, Difference, false;
    /// Verner's "most efficient" 6(5). A step costs 8 accelerations. Its interpolant of order 6 costs 3 more.
    Verner6(Verner6Tableau, "Verner 6(5)", 9, 12, 6):
    order 6, error 6, VERNER_65, true, Difference, true;
    /// DOP853, of order 8 with embedded orders 5 and 3, for tight tolerances. A step costs 12 accelerations. Its interpolant of
    /// order 7 costs 3 more.
    Dop853(Dop853Tableau, "DOP853", 12, 16, 7):
    order 8, error 8, DOP853, false, Combined, false;
    /// Verner's "most efficient" 9(8), for the tightest tolerances. A step costs 16 accelerations. Its interpolant of order 8
    /// costs 5 more.
    Verner9(Verner9Tableau, "Verner 9(8)", 16, 22, 8):
    order 9, error 9, VERNER_98, false, Difference, false;
}
