{-# LANGUAGE GADTs, TypeFamilies #-}
-- | Recipes and how to scale them.
module Kitchen.Recipe
  ( Recipe (..)
  , scale
  ) where

import Data.Text (Text)
import qualified Data.Map.Strict as Map
import "base" Data.List hiding (insert)

-- | One recipe.
-- Amounts are for a single person.
data Recipe unit = Recipe
  { title :: Text -- ^ what it is called
  , serves, minutes :: Int
  , parts :: [Part unit]
  }
  deriving (Show, Eq)

data Step
  -- | Heat to so many degrees.
  = Heat !Int
    -- ^ not above
    -- three hundred
  | Int :>: Text
  | Rest { restFor :: Minutes, covered :: Bool }

newtype Minutes = Minutes { unMinutes :: Int } deriving newtype (Num)
type Pantry = Map.Map Text Amount
type family Store shop

data Query a where
  Count :: Query Int
  Has, Lacks :: Text -> Query Bool

-- | Things that come in amounts.
class (Ord a) => Measured a where
  type Scale a
  -- | Twice as much.
  double :: a -> a
  double = times 2
  times, portion :: Int -> a -> a
  {-# MINIMAL times, portion #-}

instance Measured (Part u) where
  times n (Part x) = Part (n * x)
  portion _ p = p

instance Show a => Measured [a] where
  times n = concat . replicate n

deriving instance Ord (Recipe Grams)

infixl 6 <+>

-- | Makes a recipe serve more people.
{-# INLINE scale #-}
scale :: Measured (Part u) => Int -> Recipe u -> Recipe u
scale 1 r = r
scale n r
  -- Everything grows alike.
  | n > 0 = r { serves = n, parts = map grow (parts r) }
  | otherwise = error "nobody eats"
  where
    grow = times n

defaultServes :: Int
defaultServes = 4

(<+>) :: Pantry -> Pantry -> Pantry
left <+> right = Map.unionWith add left right

part `fitsIn` pantry = Map.member part pantry
(f `after` g) x = f (g x)

pattern Quick :: Recipe u
pattern Quick <- Recipe { minutes = 5 }

foreign import ccall "math.h ceil" c_ceil :: Double -> Double

(small, large) = (1, 12)

makeLenses ''Recipe

main :: IO ()
main = do
  pantry <- readPantry
  mapM_ print $ Map.keys pantry
  putStrLn `seq` report @Int (Heat 180)
